// What preact.js is made of (scripts/vendor_web.py), for the type checker alone.
export * from "@preact/signals";
export * from "preact";
export * from "preact/hooks";
/** A template as Preact's elements; props in it are not checked. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => import("preact").VNode;

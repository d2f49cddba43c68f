// What preact.js is made of (scripts/vendor_web.py), for the type checker alone.
export { Signal, batch, computed, effect, signal } from "@preact/signals";
export { Component, render } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
/** A template as Preact's elements; props in it are not checked. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => import("preact").VNode;

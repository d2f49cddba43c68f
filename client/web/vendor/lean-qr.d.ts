// What lean-qr.js is made of (scripts/vendor_web.py), for the type checker alone.
export { correction, generate } from "lean-qr/nano";

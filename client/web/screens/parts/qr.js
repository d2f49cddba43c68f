/** A QR code as one path of an SVG picture; its library comes when one is shown. */
import { html, useEffect, useState } from "../../vendor/preact.js";

/** Modules of quiet ground around it, as the standard asks. */
const QUIET = 4;

/** @param {{ text: string, label: string }} props */
export function QrCode({ text, label }) {
  const [code, setCode] = useState(/** @type {{ size: number, path: string } | null} */ (null));
  useEffect(() => {
    let gone = false;
    import("../../vendor/lean-qr.js").then(({ generate }) => {
      const made = generate(text);
      const squares = [];
      for (let y = 0; y < made.size; y += 1) {
        for (let x = 0; x < made.size; x += 1) if (made.get(x, y)) squares.push(`M${x + QUIET} ${y + QUIET}h1v1h-1z`);
      }
      if (!gone) setCode({ size: made.size + 2 * QUIET, path: squares.join("") });
    });
    return () => {
      gone = true;
    };
  }, [text]);
  if (code === null) return html`<div class="qr"></div>`;
  return html`<svg class="qr" viewBox=${`0 0 ${code.size} ${code.size}`} role="img" aria-label=${label}><path d=${code.path} /></svg>`;
}

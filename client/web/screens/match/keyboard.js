/**
 * Room to type while a keyboard covers most of the screen (`P20`): names, clocks and turn stay in sight, above what is
 * said and the field. Some browsers shrink the page for a keyboard, others lay it over and shift the page beneath.
 */

/** What is seen is short when it is less high than this, in px: then the board gives way to who types. */
const SHORT_PX = 416;

/** Mind it from now on; returns what ends that. */
export function mindTheKeyboard() {
  const root = document.documentElement;
  const seen = window.visualViewport;
  const look = () => {
    // Pinched, the page is shown in part because the person wants it so.
    const covered = seen !== null && seen.scale === 1 && seen.height < innerHeight - 1;
    const height = covered ? seen.height : innerHeight;
    const types = document.activeElement?.matches(".match .panel input") ?? false;
    root.toggleAttribute("data-typing", types && height <= SHORT_PX);
    if (covered && types) root.style.setProperty("--seen", `${height}px`);
    else root.style.removeProperty("--seen");
    if (covered && types && seen.offsetTop > 0) scrollTo(0, 0);
  };
  const left = () => requestAnimationFrame(look);
  document.addEventListener("focusin", look);
  // Where the focus goes to is known a moment after it went.
  document.addEventListener("focusout", left);
  addEventListener("resize", look);
  seen?.addEventListener("resize", look);
  return () => {
    document.removeEventListener("focusin", look);
    document.removeEventListener("focusout", left);
    removeEventListener("resize", look);
    seen?.removeEventListener("resize", look);
    root.removeAttribute("data-typing");
    root.style.removeProperty("--seen");
  };
}

/**
 * What goes with the matches of a page and is not needed before there is one: the moves that are planned, those that were
 * made, and the calls to who looks elsewhere.
 * @import { Doing } from "../doing.js"
 * @import { Settings } from "../kept/settings.js"
 * @import { Signal } from "../vendor/preact.js"
 * @import { Sounds } from "./sounds.js"
 */
import { minding } from "../kept/underway.js";
import { attend } from "./attention.js";
import { MoveList } from "./move_list.js";
import { Plans } from "./plans.js";

export class Table {
  /** @param {{ doing: Doing, settings: Signal<Settings>, sounds: Sounds, page: string }} app */
  constructor({ doing, settings, sounds, page }) {
    this.plans = new Plans(doing, settings);
    this.moves = new MoveList(doing);
    attend(doing, settings, sounds);
    minding(doing, page);
  }
}

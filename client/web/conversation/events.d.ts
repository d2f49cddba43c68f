// What a session tells whoever shows or plays a match: the server's notifications, and these about the talk itself.

import type { Command, Notification, Reply } from "./messages.d.ts";
import type { InStep, Latency } from "./pulse.js";

/** The user's command was taken. */
export type Sent = { type: "sent"; command: Command };
/** It was answered. */
export type Settled = { type: "settled"; command: Command; answer: Reply };
/** No connection, since when (ms of the session's clock), and why. */
export type Offline = { type: "offline"; since: number; reason: string };
/** Followed no longer: left, or the server does not have it any more. */
export type Left = { type: "left"; match: string };
/** The server does not know the token any more: one comes as a new guest. */
export type NewGuest = { type: "new_guest" };

export type Event = Notification | Sent | Settled | Offline | Left | NewGuest | Latency | InStep;

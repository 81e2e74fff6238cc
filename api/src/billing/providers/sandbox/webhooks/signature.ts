import { createHmac } from 'node:crypto';
import { inSeconds } from '@clearframe/contract';
import { isSame } from '../core/ids.js';

export const SIGNATURE_HEADER = 'sandbox-signature';

/** Prevents replays of older events. */
const TOLERANCE_SECONDS = inSeconds.minutes(5);
const HEADER = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

const inUnixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

const macOf = (secret: string, time: string, body: string | Buffer): string =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');

/** @param at real time */
export function signatureOf(secret: string, body: string, at: Date): string {
  const time = String(inUnixSeconds(at));
  return `t=${time},v1=${macOf(secret, time, body)}`;
}

/** Valid, and at most five minutes old or ahead. */
export function isSigned(secret: string, body: Buffer, header: string | string[] | undefined, now: Date): boolean {
  const [, time, mac] = HEADER.exec(typeof header === 'string' ? header : '') ?? [];
  if (time === undefined || mac === undefined) return false;
  if (Math.abs(inUnixSeconds(now) - Number(time)) > TOLERANCE_SECONDS) return false;
  return isSame(mac, macOf(secret, time, body));
}

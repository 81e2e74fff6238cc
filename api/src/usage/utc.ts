import { inMilliseconds } from '@clearframe/contract';

/** `2026-11-29`, in UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** The first day of the month, in UTC. */
export const monthOf = (moment: Date): string => `${dayOf(moment).slice(0, 7)}-01`;

export const addDays = (day: string, count: number): string =>
  dayOf(new Date(Date.parse(day) + inMilliseconds.days(count)));

export const startOfNextDay = (moment: Date): Date => new Date(addDays(dayOf(moment), 1));

export const startOfNextMonth = (moment: Date): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1));

import { inMilliseconds } from '@clearframe/contract';

/** `2026-11-29`, in UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

export const addDays = (day: string, count: number): string =>
  dayOf(new Date(Date.parse(day) + inMilliseconds.days(count)));

export const startOfNextDay = (moment: Date): Date => new Date(addDays(dayOf(moment), 1));

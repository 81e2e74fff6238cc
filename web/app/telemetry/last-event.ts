import { readStored, writeStored } from './storage';

const KEY = 'clearframe:last-event';

/** Remembers an error of this visit, for a request to support. */
export const rememberEventId = (id: string): void => writeStored('sessionStorage', KEY, { id });

/** Id of the last error; empty without one. */
export function lastEventId(): string {
  const value = readStored('sessionStorage', KEY);
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id : '';
}

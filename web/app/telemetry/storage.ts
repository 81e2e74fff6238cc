type Area = 'localStorage' | 'sessionStorage';

const inMemory = new Map<string, string>();
let isUnavailable = false;

/** Whether the browser refused its storage; values are then kept until the page is closed. */
export const isStorageUnavailable = (): boolean => isUnavailable;

/** JSON that was stored, or null. */
export function readStored(area: Area, key: string): unknown {
  try {
    return JSON.parse(textIn(area, key) ?? 'null');
  } catch {
    return null;
  }
}

export function writeStored(area: Area, key: string, value: unknown): void {
  inMemory.set(key, JSON.stringify(value));
  try {
    window[area].setItem(key, JSON.stringify(value));
  } catch {
    isUnavailable = true;
  }
}

function textIn(area: Area, key: string): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    isUnavailable = true;
    return inMemory.get(key) ?? null;
  }
}

export function forgetStored(area: Area, key: string): void {
  inMemory.delete(key);
  try {
    window[area].removeItem(key);
  } catch {
    isUnavailable = true;
  }
}

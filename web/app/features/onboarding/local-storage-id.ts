const KEY = 'clearframe:web-onboarding-local-storage-id';

/** Keeps the id under which an onboarding elsewhere has known this browser (spec 1, section 3). */
export function rememberLocalStorageId(id: string | null): void {
  if (!id) return;
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // It only joins two statistics.
  }
}

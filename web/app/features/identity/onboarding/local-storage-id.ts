const KEY = 'clearframe:web-onboarding-local-storage-id';

/** Stores the id that an external onboarding gave this browser (spec 1, section 3). */
export function rememberLocalStorageId(id: string | null): void {
  if (!id) return;
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Only analytics use it.
  }
}

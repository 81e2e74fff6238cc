import { useLoaderData } from '@remix-run/react';
import { useEffect } from 'react';
import { loadOnboarding } from '../features/identity/onboarding/onboarding.server';
import { OnboardingModal } from '../features/identity/onboarding/onboarding-modal';
import { ModalPage } from '../features/modals/modal-page';

export const handle = { i18n: ['onboarding', 'tiers'] };
export const loader = loadOnboarding;
export { pageHeaders as headers } from '../http/page-headers';
export { unlistedMeta as meta } from '../http/page-meta';

export default function OnboardingPage() {
  const { query, member, offers, localStorageId } = useLoaderData<typeof loader>();
  useEffect(() => rememberLocalStorageId(localStorageId), [localStorageId]);
  return <ModalPage modal="user:onboarding" with={{ ...query, member, offers }} body={OnboardingModal} />;
}

const ID_KEY = 'clearframe:web-onboarding-local-storage-id';

/** Stores the id that an external onboarding gave this browser (spec 1, section 3). */
function rememberLocalStorageId(id: string | null): void {
  if (!id) return;
  try {
    localStorage.setItem(ID_KEY, id);
  } catch {
    // Only analytics use it.
  }
}

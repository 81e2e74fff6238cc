import { useLoaderData } from '@remix-run/react';
import { useEffect } from 'react';
import { addVisitInfo } from '../../telemetry/telemetry';
import { ModalPage } from '../modals/modal-page';
import { loadOnboarding } from './onboarding.server';
import { OnboardingModal } from './onboarding-modal';

export const handle = { i18n: ['onboarding', 'tiers'] };
export const loader = loadOnboarding;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function OnboardingPage() {
  const { query, member, offers, localStorageId } = useLoaderData<typeof loader>();
  useEffect(() => {
    // Sent and stored once the visitor agrees to measurement.
    if (localStorageId) addVisitInfo('web_onboarding_local_storage_id', localStorageId);
  }, [localStorageId]);
  return <ModalPage modal="user:onboarding" with={{ ...query, member, offers }} body={OnboardingModal} />;
}

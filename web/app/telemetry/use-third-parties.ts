import { useEffect } from 'react';
import type { ThirdParties } from '../../server/config/third-parties.ts';

/** Loads the scripts of others that are configured, as far as the visitor agreed to them. */
export function useThirdParties(parties: ThirdParties, nonce: string | undefined): void {
  const { tagManagerUrl, consentPlatform, surveyUrl } = parties;
  useEffect(() => {
    if (!tagManagerUrl && !consentPlatform && !surveyUrl) return;
    void import('./start-third-parties').then(
      ({ startThirdParties }) => startThirdParties({ tagManagerUrl, consentPlatform, surveyUrl }, nonce),
      () => undefined,
    );
  }, [tagManagerUrl, consentPlatform, surveyUrl, nonce]);
}

import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ONBOARDING_PARTS } from '../../onboarding-parts';
import { Spinner } from '../../ui/spinner';
import { track } from '../tracking/track';
import type { PaywallStepProps } from './parts';
import { isNewcomer } from './steps';

interface Props {
  readonly previousAction: string | null;
  /** When the visitor's account was made, ISO 8601. */
  readonly createdAt: string;
  readonly onDone: () => void;
}

/** Shows the paywall that was put in, and notes what came of it. */
export function PaywallStep({ previousAction, createdAt, onDone }: Props) {
  const { t } = useTranslation('onboarding');
  const [Paywall, setPaywall] = useState<ComponentType<PaywallStepProps> | null>(null);
  const offered = useRef<readonly string[] | null>(null);

  useEffect(() => {
    // One that can't be fetched is left out.
    ONBOARDING_PARTS.loadPaywall?.().then((Loaded) => setPaywall(() => Loaded), onDone);
  }, [onDone]);

  const onShown = useCallback(
    (priceIds: readonly string[]) => {
      if (offered.current) return;
      offered.current = priceIds;
      track('paywall', { action: 'shown', previousAction, priceIds: [...priceIds] });
    },
    [previousAction],
  );

  // Whatever way the modal is closed: gone without a choice is dismissed.
  useEffect(
    () => () => {
      const priceIds = offered.current;
      if (!priceIds) return;
      track('paywall', { action: 'dismissed', previousAction, priceIds: [...priceIds] });
      if (isNewcomer(createdAt, Date.now())) ONBOARDING_PARTS.checkMarketingConsent?.();
    },
    [createdAt, previousAction],
  );

  const finish = useCallback(() => {
    offered.current = null;
    onDone();
  }, [onDone]);

  if (!Paywall) return <Spinner label={t('start.loading')} className="self-center text-muted" />;
  return <Paywall previousAction={previousAction} onShown={onShown} onDone={finish} />;
}

import { useLocation } from '@remix-run/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { returnAddressIn } from '../../http/internal-address';
import { buttonClass } from '../../ui/controls/button';
import { ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import type { ModalBodyProps } from '../modals/catalogue';
import { GotIt } from '../modals/got-it';
import { useModals } from '../modals/modals';
import { ConsentQuestion } from './consent-question';

export function MarketingConsentModal({ modal }: ModalBodyProps<'consent:marketing'>) {
  const { t } = useTranslation('account');
  return (
    <ConsentQuestion consent="marketing" onAccepted={() => modal.close('accepted')}>
      <ModalChoice kind="quiet" onChoose={() => void modal.close('notAccepted')}>
        {t('marketing.decline')}
      </ModalChoice>
    </ConsentQuestion>
  );
}

export function ImageTrainingConsentModal({ modal }: ModalBodyProps<'consent:image-training'>) {
  const { t } = useTranslation('account');
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const { open } = useModals();
  async function decline(): Promise<void> {
    await modal.close('notAccepted');
    await open('consent:image-training-declined', {});
  }
  return (
    <ConsentQuestion consent="imageTraining" onAccepted={() => modal.close('accepted')}>
      {mode === 'page' ? (
        <AppLink to={returnAddressIn(search)} className={buttonClass('quiet')}>
          {t('imageTraining.decline')}
        </AppLink>
      ) : (
        <ModalChoice kind="quiet" onChoose={() => void decline()}>
          {t('imageTraining.decline')}
        </ModalChoice>
      )}
    </ConsentQuestion>
  );
}

/** Long enough to be read twice. */
const DECLINED_SHOWN_MS = 5_000;

/** Closes by itself: declining takes no more clicks than accepting. */
export function ImageTrainingDeclinedModal({ modal }: ModalBodyProps<'consent:image-training-declined'>) {
  const { t } = useTranslation('account');
  const { mode } = useModalFrame();
  useEffect(() => {
    if (mode === 'page') return;
    const timer = setTimeout(() => void modal.close('gotIt'), DECLINED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [mode, modal]);
  return (
    <>
      <ModalTitle>{t('imageTraining.declined.title')}</ModalTitle>
      <ModalLead>
        <p>{t('imageTraining.declined.body')}</p>
      </ModalLead>
      <GotIt onChoose={() => void modal.close('gotIt')} />
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { useRootData } from '../../session/root-data';
import { ModalLink } from '../modals/modal-link';

const START = { loginOnly: false, forceLogin: false, previousAction: 'get_started', member: null, offers: null };

export function GetStartedLink({ className }: { readonly className: string }) {
  const { t } = useTranslation('header');
  if (useRootData().visitor.kind !== 'guest') return null;
  return (
    <ModalLink modal="user:onboarding" with={START} className={className}>
      {t('getStarted')}
    </ModalLink>
  );
}

import { useTranslation } from 'react-i18next';
import { track } from '../../../telemetry/telemetry';
import { ModalLink } from '../../modals/modal-link';

export function CookieSettingsLink({ className }: { readonly className: string }) {
  const { t } = useTranslation('footer');
  return (
    <ModalLink
      modal="cookies"
      with={{}}
      className={className}
      onOpen={() => track('cookieBanner', { action: 'customizing' })}
    >
      {t('cookies.settings')}
    </ModalLink>
  );
}

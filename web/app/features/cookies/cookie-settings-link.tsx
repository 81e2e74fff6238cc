import { useTranslation } from 'react-i18next';
import { ModalLink } from '../modals/modal-link';

export function CookieSettingsLink({ className }: { readonly className: string }) {
  const { t } = useTranslation('footer');
  return (
    <ModalLink modal="cookies" with={{}} className={className}>
      {t('cookies.settings')}
    </ModalLink>
  );
}

import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { ModalLink } from '../modals/modal-link';
import type { KeyAccess } from './key-access.server';

export function KeyLink({ access }: { readonly access: KeyAccess }) {
  const { t } = useTranslation('support');
  const className = buttonClass('primary', 'small');
  if (access === 'off') return <p>{t('developers.key.off')}</p>;
  if (access === 'create') {
    return (
      <>
        <p>{t('developers.lead')}</p>
        <ModalLink modal="user:account" with={{ tab: 'pluginKey' }} className={className}>
          {t('developers.key.create')}
        </ModalLink>
      </>
    );
  }
  return (
    <>
      <p>{t('developers.key.login')}</p>
      <ModalLink modal="user:login" with={{ problem: null }} className={className}>
        {t('developers.key.logIn')}
      </ModalLink>
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { accountAddress } from '../../session/account-tabs';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
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
  const [reason, label, to] =
    access === 'plan'
      ? [t('developers.key.plan'), t('developers.key.plans'), '/upgrade']
      : [t('developers.key.unpaid'), t('developers.key.pay'), accountAddress('subscription')];
  return (
    <>
      <p>{reason}</p>
      <AppLink to={to} className={className}>
        {label}
      </AppLink>
    </>
  );
}

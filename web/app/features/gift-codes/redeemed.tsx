import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { ModalActions, ModalLead, ModalTitle } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import type { ModalBodyProps } from '../modals/catalogue';

/** 'Done!' (spec 1, section 2). Its links load documents, which depend on the plan. */
export function Redeemed({ until }: Pick<ModalBodyProps<'redeemed'>, 'until'>) {
  const { t } = useTranslation('account');
  return (
    <>
      <ModalTitle>{t('redeem.done.title')}</ModalTitle>
      <ModalLead>
        <p role="status">{until === null ? t('redeem.done.mobile') : t('redeem.done.body', { date: until })}</p>
      </ModalLead>
      <ModalActions>
        <AppLink to="/" reloadDocument className={buttonClass('primary')}>
          {t('redeem.done.start')}
        </AppLink>
        <AppLink to="/account/subscription" reloadDocument className={buttonClass('quiet')}>
          {t('redeem.done.account')}
        </AppLink>
      </ModalActions>
    </>
  );
}

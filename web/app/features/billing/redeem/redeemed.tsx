import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../../ui/content/message-page';
import { buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';

/** 'Done!' (spec 1, section 2). `until`: formatted end of a gift; null for a subscription of the app. */
export function Redeemed({ until }: { readonly until: string | null }) {
  const { t } = useTranslation('account');
  return (
    <MessagePage
      title={t('redeem.done.title')}
      actions={
        <>
          <AppLink to="/" className={buttonClass('primary')}>
            {t('redeem.done.start')}
          </AppLink>
          <AppLink to="/account/subscription" className={buttonClass('quiet')}>
            {t('redeem.done.account')}
          </AppLink>
        </>
      }
    >
      <p role="status">{until === null ? t('redeem.done.mobile') : t('redeem.done.body', { date: until })}</p>
    </MessagePage>
  );
}

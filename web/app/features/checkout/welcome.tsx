import type { Plan } from '@clearframe/contract';
import { useTranslation } from 'react-i18next';
import { accountAddress } from '../../session/account-tabs';
import { MessagePage } from '../../ui/content/message-page';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';

/** Subscribers land here when no photo waits for them. */
export const WELCOME_ADDRESS = '/welcome';

export function Welcome({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('account');
  return (
    <MessagePage
      title={t('welcome.title')}
      actions={
        <>
          <AppLink to="/" className={buttonClass('primary')}>
            {t('welcome.enhance')}
          </AppLink>
          <AppLink to={accountAddress('subscription')} className={buttonClass('quiet')}>
            {t('welcome.account')}
          </AppLink>
        </>
      }
    >
      <p>{t(`subscription.about.${plan}`)}</p>
    </MessagePage>
  );
}

import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { seeOther } from '../../http/answer.server';
import { translatorFor } from '../../i18n/i18n.server';
import { flashOf } from '../../session/account-flashes';
import { accountAddress } from '../../session/account-tabs';
import { consumeFlash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';
import { MessagePage } from '../../ui/content/message-page';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { AccountFlash } from '../account/account-flash';

export const handle = { i18n: ['account'] };
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

/** After a subscription that no photo led to; redirects home without a plan. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await fetchMe({ request, context });
  const { role } = user ?? { role: 'guest' };
  if (role !== 'personal' && role !== 'business') {
    throw seeOther('/', request);
  }
  const [t, flash] = await Promise.all([translatorFor(request, 'account'), consumeFlash({ request, context })]);
  return { plan: role, flash: flashOf(flash), title: t('welcome.title') };
}

export default function WelcomePage() {
  const { plan, flash } = useLoaderData<typeof loader>();
  const { t } = useTranslation('account');
  return (
    <>
      <AccountFlash flash={flash} />
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
    </>
  );
}

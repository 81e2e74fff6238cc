import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useTranslation } from 'react-i18next';
import { seeOther } from '../../http/answer.server';
import { flashOf } from '../../session/account-flashes';
import { accountAddress } from '../../session/account-tabs';
import { consumeFlash } from '../../session/flash.server';
import { fetchMe } from '../../session/me.server';
import { MessagePage } from '../../ui/content/message-page';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import { AccountFlash } from '../account/account-flash';
import { SuccessFacts } from './success';
import { planSuccess } from './success.server';

export const handle = { i18n: ['account'] };
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

/** After a subscription that no photo led to; redirects home without a plan. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const user = await fetchMe({ request, context });
  const plan = user?.role;
  if (!user || (plan !== 'personal' && plan !== 'business')) throw seeOther('/', request);
  const [success, flash] = await Promise.all([
    planSuccess(user, { request, context }),
    consumeFlash({ request, context }),
  ]);
  return { plan, flash: flashOf(flash), ...success };
}

export default function WelcomePage() {
  const { plan, flash, title, facts } = useLoaderData<typeof loader>();
  const { t } = useTranslation('account');
  return (
    <>
      <AccountFlash flash={flash} />
      <MessagePage
        icon={<CircleCheck aria-hidden />}
        title={title}
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
        {facts.length > 0 && (
          <div className="rounded-picture bg-raised p-6 text-base text-ink shadow-soft">
            <SuccessFacts facts={facts} />
          </div>
        )}
      </MessagePage>
    </>
  );
}

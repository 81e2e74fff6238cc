import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { titleLoader } from '../../i18n/i18n.server';
import { MessagePage } from '../../ui/content/message-page';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';

export const handle = { i18n: ['tiers'] };

export const loader = titleLoader('tiers', (t) => t('unavailable.title'));

export { unlistedMeta as meta } from '../../http/page';

export default function UnavailablePage() {
  const { t } = useTranslation(['tiers', 'common']);
  const { title } = useLoaderData<typeof loader>();
  return (
    <MessagePage
      title={title}
      actions={
        <>
          <AppLink to="/" className={buttonClass('primary')}>
            {t('unavailable.home')}
          </AppLink>
          <AppLink to="/help/contact?source=country" className={buttonClass('quiet')}>
            {t('common:contactUs')}
          </AppLink>
        </>
      }
    >
      <p>{t('unavailable.body')}</p>
    </MessagePage>
  );
}

import { useTranslation } from 'react-i18next';
import { titleLoader } from '../../i18n/i18n.server';
import { MessagePage } from '../../ui/content/message-page';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';

export const handle = { i18n: ['tiers'] };

export const loader = titleLoader('tiers', (t) => t('unavailable.service.title'));

export { unlistedMeta as meta } from '../../http/page';

export default function ServiceUnavailablePage() {
  const { t } = useTranslation(['tiers', 'common', 'footer', 'header']);
  return (
    <MessagePage
      title={t('unavailable.service.title')}
      actions={
        <>
          <AppLink to="/account" className={buttonClass('quiet')}>
            {t('header:account')}
          </AppLink>
          <AppLink to="/subscription/cancel" className={buttonClass('quiet')}>
            {t('footer:cancel')}
          </AppLink>
          <AppLink to="/help/contact?source=country" className={buttonClass('quiet')}>
            {t('common:contactUs')}
          </AppLink>
        </>
      }
    >
      <p>{t('unavailable.service.body')}</p>
    </MessagePage>
  );
}

import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { titleLoader } from '../../i18n/i18n.server';
import { MessagePage } from '../../ui/content/message-page';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';

export const handle = { i18n: ['account'] };

export const loader = titleLoader('account', (t) => t('erased.title'));

export { pageHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function ErasedPage() {
  const { t } = useTranslation('account');
  useEffect(() => {
    try {
      window.localStorage.clear();
      window.sessionStorage.clear();
    } catch {
      // Storage is disabled.
    }
  }, []);
  return (
    <MessagePage
      title={t('erased.title')}
      actions={
        <AppLink to="/" className={buttonClass('primary')}>
          {t('erased.home')}
        </AppLink>
      }
    >
      <p>{t('erased.body')}</p>
    </MessagePage>
  );
}

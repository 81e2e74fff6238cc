import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../../ui/content/message-page';
import { buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';

export function Erased() {
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

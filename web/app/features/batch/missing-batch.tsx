import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { loginAddress } from '../../http/internal-address';
import { useRootData } from '../../session/root-data';
import { MessagePage } from '../../ui/content/message-page';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';

export function MissingBatch() {
  const { t } = useTranslation(['processing', 'common']);
  const { pathname, search } = useLocation();
  const { visitor } = useRootData();
  return (
    <MessagePage
      title={t('batch.missing.title')}
      actions={
        <>
          {visitor.kind === 'guest' ? (
            <AppLink to={loginAddress(`${pathname}${search}`, search)} className={buttonClass('primary')}>
              {t('common:logIn')}
            </AppLink>
          ) : (
            <AppLink to="/history" className={buttonClass('primary')}>
              {t('batch.missing.history')}
            </AppLink>
          )}
          <AppLink to="/" reloadDocument className={buttonClass('quiet')}>
            {t('common:startOver')}
          </AppLink>
        </>
      }
    >
      <p>{t('batch.missing.body')}</p>
    </MessagePage>
  );
}

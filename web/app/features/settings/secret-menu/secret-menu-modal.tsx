import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { Notice } from '../../../ui/content/notice';
import { Skeleton } from '../../../ui/content/skeleton';
import { Button } from '../../../ui/controls/button';
import { ModalTitle } from '../../../ui/modal/modal-frame';
import { SecretMenu } from './secret-menu';
import { fetchSecretMenu } from './secret-menu-requests';
import type { SecretMenuView } from './secret-menu-view';

type Loaded = SecretMenuView | ProblemView | null;

export function SecretMenuModal() {
  const { t } = useTranslation(['account', 'common']);
  const [loaded, setLoaded] = useState<Loaded>(null);
  const load = useCallback(async () => {
    setLoaded(null);
    setLoaded(await fetchSecretMenu());
  }, []);
  useEffect(() => void load(), [load]);

  if (loaded && 'isOpen' in loaded) return <SecretMenu view={loaded} onChange={setLoaded} />;
  return (
    <>
      <ModalTitle>{t('secretMenu.title')}</ModalTitle>
      {loaded ? (
        <>
          <Notice>{t(`common:errors.${loaded.code}`)}</Notice>
          <Button kind="quiet" onClick={() => void load()}>
            {t('common:tryAgain')}
          </Button>
        </>
      ) : (
        <Skeleton className="h-32 w-full rounded-card" />
      )}
    </>
  );
}

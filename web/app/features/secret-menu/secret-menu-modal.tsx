import { useTranslation } from 'react-i18next';
import { useData } from '../../http/use-data';
import { Notice } from '../../ui/content/notice';
import { Skeleton } from '../../ui/content/waiting';
import { Button } from '../../ui/controls/button';
import { ModalTitle } from '../../ui/modal/modal-frame';
import { SecretMenu } from './secret-menu';
import { SECRET_MENU_STATE, type SecretMenuView } from './secret-menu-view';

export function SecretMenuModal() {
  const { t } = useTranslation(['account', 'common']);
  // The notes on a change stay until they are read.
  const { data, error, mutate } = useData<SecretMenuView>(SECRET_MENU_STATE, { revalidateOnFocus: false });
  if (data) return <SecretMenu view={data} onChange={(next) => void mutate(next, { revalidate: false })} />;
  return (
    <>
      <ModalTitle>{t('secretMenu.title')}</ModalTitle>
      {error ? (
        <>
          <Notice>{t(`common:errors.${error.problem.code}`)}</Notice>
          <Button kind="quiet" onClick={() => void mutate()}>
            {t('common:tryAgain')}
          </Button>
        </>
      ) : (
        <Skeleton className="h-32 w-full rounded-card" />
      )}
    </>
  );
}

import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { ModalLink } from '../modals/modal-link';
import type { ExportFailure } from './export-requests';

export function ExportProblem({ code, taskId }: { readonly code: ExportFailure; readonly taskId: string }) {
  const { t } = useTranslation(['result', 'common']);
  return (
    <Notice>
      <p>{code === 'unreachable' ? t('exportLost') : t(`common:errors.${code}`)}</p>
      {code === 'exports.insufficient' && (
        <ModalLink
          modal="offer"
          with={{ topic: 'downloads', taskId }}
          className="font-medium underline underline-offset-4"
        >
          {t('plans')}
        </ModalLink>
      )}
    </Notice>
  );
}

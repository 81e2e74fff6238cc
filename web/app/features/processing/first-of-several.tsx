import { useTranslation } from 'react-i18next';
import { processingAddress } from '../../session/task-addresses';
import { StatusNote } from '../../ui/content/notice';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';

const PARAMETER = 'of';

/** The processing page of a photo that was the first of several chosen ones. */
export const firstOfSeveralAddress = (taskId: string, files: number): string =>
  processingAddress(taskId, files > 1 ? { [PARAMETER]: String(files) } : {});

/** The number of chosen files in the query; null for one. */
export function filesIn(query: URLSearchParams): number | null {
  const files = query.get(PARAMETER) ?? '';
  return /^\d{1,3}$/.test(files) && Number(files) > 1 ? Number(files) : null;
}

/** Says that a plan without batches gets only the first of several files enhanced. */
export function FirstOfSeveral({ files }: { readonly files: number }) {
  const { t } = useTranslation('processing');
  return (
    <StatusNote>
      {t('firstOf.text', { files })}{' '}
      <AppLink to="/offer/batch" className={TEXT_LINK}>
        {t('firstOf.link')}
      </AppLink>
    </StatusNote>
  );
}

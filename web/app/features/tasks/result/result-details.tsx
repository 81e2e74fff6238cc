import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ResultNote } from '../task/result-notes';
import type { OutputView } from '../task/task-view';

interface ResultDetailsProps {
  readonly fileName: string | null;
  readonly output: OutputView;
}

export function ResultDetails({ fileName, output }: ResultDetailsProps) {
  const { t } = useTranslation('result');
  const rows = [
    ...(fileName ? [{ term: t('fileName'), text: fileName }] : []),
    { term: t('fileType'), text: output.contentType.replace('image/', '').toUpperCase() },
    { term: t('size'), text: t('pixels', { width: output.width, height: output.height }) },
  ];
  return (
    <div className="flex w-full flex-col gap-3 text-sm text-muted">
      {output.isUntouched && <p className="text-pretty">{t('untouched')}</p>}
      {output.notes.map((note) => (
        <p key={note.kind} className="text-pretty">
          {noteText(note, t)}
        </p>
      ))}
      <dl aria-label={t('details')} className="flex max-w-full flex-col gap-y-2">
        {rows.map(({ term, text }) => (
          <div key={term} className="flex max-w-full min-w-0 justify-between gap-4">
            <dt>{term}</dt>
            <dd className="max-w-80 truncate font-medium text-ink" title={text}>
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function noteText(note: ResultNote, t: TFunction<'result'>): string {
  switch (note.kind) {
    case 'restored':
      return t('faces', { count: note.faces });
    case 'cleaned':
      return t('faces', { count: 0 });
    default:
      return t(note.kind);
  }
}

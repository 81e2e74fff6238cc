import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ResultNote } from '../task/result-notes';
import type { OutputView } from '../task/task-view';

export function Notes({ output }: { readonly output: OutputView }) {
  const { t } = useTranslation('result');
  if (!output.isUntouched && output.notes.length === 0) return null;
  return (
    <div className="flex flex-col gap-1 text-sm text-muted">
      {output.isUntouched && <p className="text-pretty">{t('untouched')}</p>}
      {output.notes.map((note) => (
        <p key={note.kind} className="text-pretty">
          {noteText(note, t)}
        </p>
      ))}
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

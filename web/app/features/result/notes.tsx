import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ResultNote } from '../tasks/result-notes';
import type { OutputView } from '../tasks/task-view';
import { enlargementOf } from '../tools/enlargement';
import type { MediaDetails } from '../tools/tools-view';

interface NotesProps {
  readonly output: OutputView;
  readonly details: MediaDetails;
}

export function Notes({ output, details }: NotesProps) {
  const { t } = useTranslation('result');
  const enlargement = enlargementOf(details);
  const reason = output.untouchedReason;
  const untouchedText = details.isScaledDown ? t('untouchedScaled', { reason }) : t('untouched', { reason });
  if (!output.isUntouched && output.notes.length === 0 && !enlargement) return null;
  return (
    <div className="summary-notes">
      {output.isUntouched && <p>{untouchedText}</p>}
      {output.notes.map((note) => (
        <p key={note.kind}>{noteText(note, t)}</p>
      ))}
      {enlargement && <p>{t('panel.details.enlarged', enlargement)}</p>}
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

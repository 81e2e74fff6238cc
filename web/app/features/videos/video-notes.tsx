import { VIDEO_MAX_SIDE } from '@clearframe/contract';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { VideoResultView } from './video-view';

export function VideoNotes({ result }: { readonly result: VideoResultView }) {
  const { t } = useTranslation('result');
  const notes = notesOf(result, t);
  if (notes.length === 0) return null;
  return (
    <ul className="summary-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function notesOf({ recipe, notes, faces }: VideoResultView, t: TFunction<'result'>): readonly string[] {
  const about = () => {
    // Only faces have models.
    if (!recipe.tools.includes('face_enhance')) return [];
    if (recipe.name === 'signal') return [t('video.notes.signal')];
    return [faces > 0 ? t('video.notes.faces', { count: faces }) : t('video.notes.noFaces')];
  };
  return [...about(), ...notes.map((note) => t(`video.notes.${note}`, { pixels: VIDEO_MAX_SIDE }))];
}

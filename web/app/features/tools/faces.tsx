import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Detail } from '../../ui/picture/detail';
import { useStage } from '../../ui/stage/stage-context';
import type { FaceView } from './tools-view';

interface FacesProps {
  readonly faces: readonly FaceView[];
  readonly url: string;
  /** Size of the result, in pixels. */
  readonly size: { readonly width: number; readonly height: number };
}

/**
 * The face under the pointer or in focus is outlined. The note counts restored faces, so only the others say what was
 * done.
 */
export function Faces({ faces, url, size }: FacesProps) {
  const { t } = useTranslation('result');
  const { setHighlight } = useStage();
  useEffect(() => () => setHighlight(null), [setHighlight]);
  if (faces.length === 0) return null;
  return (
    <section aria-label={t('panel.faces.title')}>
      <ul>
        {faces.map(({ box, outcome }, index) => {
          const show = () => setHighlight(box);
          const hide = () => setHighlight(null);
          return (
            <li key={`${box.x} ${box.y}`}>
              <button
                type="button"
                className="flex min-h-14 w-full items-center gap-3 rounded-control px-2 text-start text-sm hover:bg-quiet"
                onPointerEnter={show}
                onPointerLeave={hide}
                onFocus={show}
                onBlur={hide}
                onClick={show}
              >
                <Detail {...{ url, size, box }} className="size-11 shrink-0 rounded-full bg-quiet" />
                <span className="font-medium whitespace-nowrap">{t('panel.faces.face', { number: index + 1 })}</span>
                {outcome !== 'restored' && (
                  <span className="ms-auto text-end text-muted">{t(`panel.faces.${outcome}`)}</span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

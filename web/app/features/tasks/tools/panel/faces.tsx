import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useStage } from '../../../../ui/stage/stage-context';
import type { FaceView } from '../view/tools-view';

/** Found faces with what was done to them; the one under the pointer or in focus is outlined on the picture. */
export function Faces({ faces }: { readonly faces: readonly FaceView[] }) {
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
                className="flex min-h-11 w-full items-center justify-between gap-3 rounded-control px-2 text-start text-sm hover:bg-quiet"
                onPointerEnter={show}
                onPointerLeave={hide}
                onFocus={show}
                onBlur={hide}
                onClick={show}
              >
                <span className="font-medium whitespace-nowrap">{t('panel.faces.face', { number: index + 1 })}</span>
                <span className="text-end text-muted">{t(`panel.faces.${outcome}`)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

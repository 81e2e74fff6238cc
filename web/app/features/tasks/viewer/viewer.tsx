import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PictureBox, useStage } from '../../../ui/stage/stage-context';
import { Comparison } from './comparison';
import { useReveal } from './use-reveal';
import type { Size } from './zoom';

export interface ViewerPicture {
  /** Null while there is no file to show. */
  readonly url: string | null;
  /** Smaller file of the same picture, shown until the other is loaded. */
  readonly placeholder?: string | null;
  readonly label: string;
  readonly alt: string;
}

interface ViewerProps {
  readonly taskId: string;
  readonly before: ViewerPicture;
  readonly after: ViewerPicture;
  /** Of the result, in pixels; `before` has the same shape. */
  readonly size: Size;
  readonly faces: readonly PictureBox[];
}

export function Viewer({ taskId, before, after, size, faces }: ViewerProps) {
  const { t } = useTranslation('result');
  const frame = useRef<HTMLDivElement>(null);
  const reveal = useReveal(taskId, frame);
  return (
    <Comparison {...{ frame, size, faces, reveal }} label={t('view.label')} beforeLabel={before.label}>
      <Side picture={before} size={size} priority="low" />
      <Side picture={after} size={size} priority="high" className="viewer-after">
        <Marks size={size} />
      </Side>
    </Comparison>
  );
}

interface SideProps {
  readonly picture: ViewerPicture;
  readonly size: Size;
  /** A first look is mostly at the result. */
  readonly priority: 'high' | 'low';
  readonly className?: string;
  readonly children?: ReactNode;
}

function Side({ picture: { url, placeholder, label, alt }, size, priority, className = '', children }: SideProps) {
  const { t } = useTranslation('result');
  const [broken, setBroken] = useState<readonly string[]>([]);
  const isShown = (source: string | null | undefined): source is string => !!source && !broken.includes(source);
  return (
    <figure className={`viewer-side ${className}`}>
      <div className="viewer-layer">
        {isShown(placeholder) && (
          <img src={placeholder} alt="" draggable={false} onError={() => setBroken([...broken, placeholder])} />
        )}
        {isShown(url) && (
          <img
            src={url}
            alt={alt}
            {...size}
            fetchPriority={priority}
            draggable={false}
            onError={() => setBroken([...broken, url])}
          />
        )}
        {children}
      </div>
      <figcaption className="compare-tag">{label}</figcaption>
      {url && (
        <a href={url} className="absolute inset-0 js:hidden">
          <span className="sr-only">{t('view.open', { name: label })}</span>
        </a>
      )}
    </figure>
  );
}

/** What the panel shows on the result. */
function Marks({ size }: { readonly size: Size }) {
  const { highlight, overlay } = useStage();
  const percent = (value: number, of: number) => `${(value / of) * 100}%`;
  return (
    <>
      {overlay && <img src={overlay} alt="" draggable={false} className="viewer-overlay" />}
      {highlight && (
        <span
          className="viewer-highlight"
          style={{
            left: percent(highlight.x, size.width),
            top: percent(highlight.y, size.height),
            width: percent(highlight.width, size.width),
            height: percent(highlight.height, size.height),
          }}
        />
      )}
    </>
  );
}

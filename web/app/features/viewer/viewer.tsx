import { DISPLAY_MAX_SIDE, MEDIUM_MAX_SIDE } from '@clearframe/contract';
import { lazy, type ReactNode, type RefObject, Suspense, useContext, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { reportFailedImage } from '../../telemetry/watch-errors';
import { type PictureBox, useStage } from '../../ui/stage/stage-context';
import { Comparison, ZoomContext } from './comparison';
import { useReveal } from './use-reveal';
import type { TileSource } from './use-tiles';
import { placeOf, type Size } from './zoom';

const DeepZoom = lazy(async () => ({ default: (await import('./deep-zoom')).DeepZoom }));

interface ViewerPicture {
  /** Null while there is nothing to show. */
  readonly files: PictureFiles | null;
  /** Smaller file of the same picture, shown until the other is loaded. */
  readonly placeholder?: string | null;
  /** Shown where the screen has more pixels than the display file. */
  readonly tiles?: TileSource | null;
  /** A file with more pixels than the display file, for pages without JavaScript. */
  readonly fullUrl?: string | null;
  readonly label: string;
  readonly alt: string;
}

interface ViewerProps {
  readonly taskId: string;
  readonly before: ViewerPicture;
  readonly after: ViewerPicture;
  /** Size of the result in pixels; `before` has the same shape. */
  readonly size: Size;
  readonly faces: readonly PictureBox[];
  /** A file of these doesn't load: its signed URL may have expired. */
  readonly onBroken?: (files: PictureFiles) => void;
}

export function Viewer({ taskId, before, after, size, faces, onBroken }: ViewerProps) {
  const { t } = useTranslation('result');
  const frame = useRef<HTMLDivElement>(null);
  const reveal = useReveal(taskId, frame);
  const [isClose, setClose] = useState(false);
  return (
    <Comparison
      {...{ frame, size, faces, reveal }}
      label={t('view.label')}
      beforeLabel={before.label}
      onCloser={() => setClose(true)}
    >
      <Side picture={before} {...{ size, isClose, onBroken }} priority="low" />
      <Side picture={after} {...{ size, isClose, onBroken }} priority="high" className="viewer-after">
        <Marks size={size} />
      </Side>
    </Comparison>
  );
}

interface SideProps extends Pick<ViewerProps, 'onBroken'> {
  readonly picture: ViewerPicture;
  readonly size: Size;
  /** The larger files are shown, also after zooming out. */
  readonly isClose: boolean;
  /** Visitors look at the result first. */
  readonly priority: 'high' | 'low';
  readonly className?: string;
  readonly children?: ReactNode;
}

function Side({ picture, size, isClose, onBroken, priority, className = '', children }: SideProps) {
  const { files, placeholder, tiles, fullUrl, label, alt } = picture;
  const image = useRef<HTMLImageElement>(null);
  const { t } = useTranslation('result');
  const [broken, setBroken] = useState<readonly string[]>([]);
  const isShown = (source: string | null | undefined): source is string => !!source && !broken.includes(source);
  function drop(url: string): void {
    reportFailedImage(url);
    setBroken([...broken, url]);
  }
  // The smaller file stays while the other gets a new URL.
  const smaller = files?.mediumUrl ? [{ url: files.mediumUrl }] : [];
  const shown = files && [files, ...smaller].find(({ url }) => isShown(url));
  return (
    <figure className={`viewer-side ${className}`}>
      {tiles && <Tiles source={tiles} fallback={image} />}
      <div className="viewer-layer">
        {isShown(placeholder) && <img src={placeholder} alt="" draggable={false} onError={() => drop(placeholder)} />}
        {files && shown && (
          <img
            ref={image}
            {...sourcesOf(shown, size, isClose)}
            alt={alt}
            {...size}
            fetchPriority={priority}
            draggable={false}
            onError={() => {
              drop(shown.url);
              onBroken?.(files);
            }}
          />
        )}
        {children}
      </div>
      <figcaption className="compare-tag">{label}</figcaption>
      {files && (
        <a href={fullUrl ?? files.url} className="absolute inset-0 js:hidden">
          <span className="sr-only">{t('view.open', { name: label })}</span>
          {fullUrl && <span className="viewer-full">{t('view.full', { ...size })}</span>}
        </a>
      )}
    </figure>
  );
}

/** From the zoom at which the display file has too few pixels. */
function Tiles({ source, fallback }: { readonly source: TileSource; readonly fallback: RefObject<HTMLImageElement> }) {
  const zoom = useContext(ZoomContext);
  if (!zoom?.surface) return null;
  const { view, surface } = zoom;
  const { width, height } = placeOf(view, surface).picture;
  if (Math.max(width, height) * window.devicePixelRatio <= DISPLAY_MAX_SIDE) return null;
  return (
    <Suspense fallback={null}>
      <DeepZoom {...{ source, fallback, view, surface }} />
    </Suspense>
  );
}

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

/** Files of one picture; see `DisplayImage`. */
export interface PictureFiles {
  readonly url: string;
  readonly mediumUrl?: string | null;
}

/**
 * Lets the browser choose the file for its screen: a phone loads half the bytes.
 * @param picture any size of the picture's shape, in pixels
 * @param isClose more of the picture's pixels are visible than on the stage
 */
function sourcesOf({ url, mediumUrl }: PictureFiles, picture: Size, isClose: boolean) {
  if (!mediumUrl) return { src: url };
  const { width, height } = picture;
  const widthWithin = (side: number) => Math.round((width / Math.max(width, height)) * side);
  const large = `${widthWithin(DISPLAY_MAX_SIDE)}px`;
  return {
    // Widths of a stage without a panel beside it; with a panel the larger file is always loaded.
    sizes: isClose
      ? large
      : `(width >= 64rem) ${large}, min(100vw, (100svh - 15.25rem) * ${(width / height).toFixed(3)})`,
    // Files of small pictures have fewer pixels; the display file is still the better one.
    srcSet: `${mediumUrl} ${widthWithin(MEDIUM_MAX_SIDE)}w, ${url} ${widthWithin(DISPLAY_MAX_SIDE)}w`,
    // Last: a browser loads what it knows when it is set.
    src: url,
  };
}

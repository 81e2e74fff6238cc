import Eye from 'lucide-react/icons/eye';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button';
import type { Zoom } from './use-zoom';

interface ZoomControlsProps {
  readonly zoom: Zoom;
  readonly onHold: (isHeld: boolean) => void;
}

/** Factor of one press of a button or key. */
export const ZOOM_STEP = 1.5;

/** Buttons for the original and the zoom, with the present scale. */
export function ZoomControls({ zoom, onHold }: ZoomControlsProps) {
  const { t } = useTranslation('result');
  const { scale, view } = zoom;
  const release = () => onHold(false);
  return (
    <div role="toolbar" aria-label={t('view.controls')} data-controls className="viewer-controls">
      <Button
        kind="ghost"
        size="icon"
        title={t('hold')}
        className="touch-none"
        onPointerDown={() => onHold(true)}
        onPointerUp={release}
        onPointerCancel={release}
        onPointerLeave={release}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={({ key }) => key === ' ' && onHold(true)}
        onKeyUp={release}
        onBlur={release}
      >
        <Eye aria-hidden className="size-5" />
        <span className="sr-only">{t('hold')}</span>
      </Button>
      <IconButton label={t('view.zoomOut')} onClick={() => zoom.zoomTo(view.zoom / ZOOM_STEP)}>
        <Minus aria-hidden className="size-5" />
      </IconButton>
      <Button
        kind="ghost"
        size="small"
        title={t('view.fit')}
        className="min-h-11 min-w-16 px-1 tabular-nums"
        onClick={zoom.fit}
      >
        <span className="sr-only">{t('view.fit')} </span>
        <span aria-live="polite">{scale === null ? '' : t('view.scale', { scale })}</span>
      </Button>
      <IconButton label={t('view.zoomIn')} onClick={() => zoom.zoomTo(view.zoom * ZOOM_STEP)}>
        <Plus aria-hidden className="size-5" />
      </IconButton>
      <Button
        kind="ghost"
        size="small"
        title={t('view.actualSize')}
        className="min-h-11 min-w-12 px-1"
        onClick={zoom.showActualSize}
      >
        <span aria-hidden>{t('view.oneToOne')}</span>
        <span className="sr-only">{t('view.actualSize')}</span>
      </Button>
    </div>
  );
}

interface IconButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function IconButton({ label, onClick, children }: IconButtonProps) {
  return (
    <Button kind="ghost" size="icon" title={label} onClick={onClick}>
      {children}
      <span className="sr-only">{label}</span>
    </Button>
  );
}

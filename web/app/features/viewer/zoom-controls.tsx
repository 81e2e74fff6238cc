import Eye from 'lucide-react/icons/eye';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import type { Zoom } from './use-zoom';

interface ZoomControlsProps {
  readonly zoom: Zoom;
  readonly isHeld: boolean;
  readonly onHold: (isHeld: boolean) => void;
}

/** Factor of one press of a button or key. */
export const ZOOM_STEP = 1.5;

/** Presses of this time in ms show the original only until they end. */
const HOLD_MS = 350;

/** Buttons for the original and the zoom, with the present scale. */
export function ZoomControls({ zoom, isHeld, onHold }: ZoomControlsProps) {
  const { t } = useTranslation('result');
  const { scale, view } = zoom;
  return (
    <fieldset aria-label={t('view.controls')} data-controls className="viewer-controls">
      <HoldButton {...{ isHeld, onHold }} />
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
    </fieldset>
  );
}

/** Shows the original while it is pressed; a click or a key shows it until the next one. */
function HoldButton({ isHeld, onHold }: Pick<ZoomControlsProps, 'isHeld' | 'onHold'>) {
  const { t } = useTranslation('result');
  /** Null without a press. */
  const press = useRef<{ readonly wasHeld: boolean; readonly timer: number; isLong: boolean } | null>(null);
  const onPointerDown = () => {
    const started = {
      wasHeld: isHeld,
      isLong: false,
      timer: window.setTimeout(() => (started.isLong = true), HOLD_MS),
    };
    press.current = started;
    onHold(true);
  };
  const onPointerEnd = () => {
    if (press.current?.isLong) onHold(false);
    window.clearTimeout(press.current?.timer);
  };
  const onClick = () => {
    const { current } = press;
    press.current = null;
    if (!current?.isLong) onHold(!(current?.wasHeld ?? isHeld));
  };
  return (
    <Button
      kind="ghost"
      size="icon"
      title={t('hold')}
      aria-pressed={isHeld}
      className="touch-none aria-pressed:bg-accent aria-pressed:text-on-accent aria-pressed:hover:not-disabled:bg-accent-strong"
      onPointerDown={onPointerDown}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onPointerLeave={onPointerEnd}
      onContextMenu={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <Eye aria-hidden className="size-5" />
      <span className="sr-only">{t('hold')}</span>
    </Button>
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

import ChevronUp from 'lucide-react/icons/chevron-up';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

interface SheetProps {
  /** Name of the panel and of the button that opens it. */
  readonly label: string;
  readonly summary?: ReactNode;
  readonly children: ReactNode;
}

/** Movement in CSS pixels from which a press is a drag. */
const DRAG_THRESHOLD = 6;

/** A side panel; on narrow screens a sheet that is opened by its handle, by dragging, click or keyboard. */
export function Sheet({ label, summary, children }: SheetProps) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const drag = useRef<{ readonly y: number; readonly height: number; hasMoved: boolean } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [isDragged, setDragged] = useState(false);
  useMeasuredHeight(panel);

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (!event.isPrimary || event.button !== 0 || !panel.current) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { y: event.clientY, height: panel.current.offsetHeight, hasMoved: false };
  };
  const onPointerMove = (event: PointerEvent) => {
    const { current } = drag;
    if (!current || !panel.current) return;
    const moved = current.y - event.clientY;
    if (Math.abs(moved) < DRAG_THRESHOLD && !current.hasMoved) return;
    current.hasMoved = true;
    setDragged(true);
    panel.current.style.setProperty('--sheet', `clamp(var(--peek), ${current.height + moved}px, 80svh)`);
  };
  const onPointerEnd = (event: PointerEvent) => {
    const { current } = drag;
    if (!current?.hasMoved) return;
    panel.current?.style.removeProperty('--sheet');
    setDragged(false);
    setOpen(current.y > event.clientY);
  };
  const onClick = () => {
    // The click that ends a drag.
    if (!drag.current?.hasMoved) setOpen(!isOpen);
    drag.current = null;
  };
  const onHandleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp') setOpen(true);
    else if (event.key === 'ArrowDown') setOpen(false);
    else return;
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.preventDefault();
    setOpen(false);
    // The focused element is hidden.
    handle.current?.focus();
  };

  return (
    <aside
      ref={panel}
      aria-label={label}
      className="stage-panel sheet"
      data-open={isOpen || undefined}
      data-dragged={isDragged || undefined}
      onKeyDown={onKeyDown}
    >
      <button
        ref={handle}
        type="button"
        className="sheet-handle"
        aria-expanded={isOpen}
        aria-controls={id}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        onClick={onClick}
        onKeyDown={onHandleKeyDown}
      >
        {label}
        <ChevronUp aria-hidden className={`size-4 transition ${isOpen ? 'rotate-180' : ''}`} />
      </button>
      {summary && <div className="sheet-summary">{summary}</div>}
      <div id={id} className="sheet-content">
        {children}
      </div>
    </aside>
  );
}

/** Lets the stage keep its controls above a closed sheet with a long summary. */
function useMeasuredHeight(panel: RefObject<HTMLElement>): void {
  useEffect(() => {
    const { current: sheet } = panel;
    const stage = sheet?.parentElement;
    if (!sheet || !stage) return;
    const observer = new ResizeObserver(() => stage.style.setProperty('--sheet-block-size', `${sheet.offsetHeight}px`));
    observer.observe(sheet);
    return () => {
      observer.disconnect();
      stage.style.removeProperty('--sheet-block-size');
    };
  }, [panel]);
}

import { Tooltip } from 'radix-ui';
import { type PointerEventHandler, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

/** Distance from the trigger in CSS pixels (spec 2, section 2). */
const OFFSET = 15;

interface ToggleTooltipBoxProps {
  /** The control that it is about. */
  readonly anchor: Element;
  readonly isInPanel: boolean;
  readonly title: string;
  readonly body: string;
  readonly mediaUrl: string;
  readonly contentEvents: Readonly<Record<'onPointerEnter' | 'onPointerLeave', PointerEventHandler>>;
  readonly onClose: () => void;
}

/** Stands in for the control, which was rendered without Radix. The tooltip closes when the page scrolls, so that its place stays true. */
export function ToggleTooltipBox({
  anchor,
  isInPanel,
  title,
  body,
  mediaUrl,
  contentEvents,
  onClose,
}: ToggleTooltipBoxProps) {
  const standIn = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const description = standIn.current?.getAttribute('aria-describedby');
    if (!description) return;
    anchor.setAttribute('aria-describedby', description);
    return () => anchor.removeAttribute('aria-describedby');
  }, [anchor]);
  const { left, top, width, height } = anchor.getBoundingClientRect();
  return (
    <Tooltip.Provider>
      <Tooltip.Root open disableHoverableContent>
        {createPortal(
          <Tooltip.Trigger asChild>
            <span
              ref={standIn}
              aria-hidden
              className="pointer-events-none fixed"
              style={{ left, top, width, height }}
            />
          </Tooltip.Trigger>,
          document.body,
        )}
        <Tooltip.Portal>
          <Tooltip.Content
            {...contentEvents}
            className="toggle-tooltip"
            // That of the control's part of the page: it differs from the page's on a stage.
            data-theme={anchor.closest<HTMLElement>('[data-theme]')?.dataset.theme}
            side={isInPanel ? sideOfPanel() : 'top'}
            sideOffset={OFFSET}
            collisionPadding={12}
            // Announced once, without the video.
            aria-label={`${title}. ${body}`}
            onEscapeKeyDown={onClose}
            onPointerDownOutside={(event) => {
              if (!(event.target instanceof Node && anchor.contains(event.target))) onClose();
            }}
          >
            <DemoVideo src={mediaUrl} />
            <div className="p-3.5">
              <p className="font-semibold">{title}</p>
              <p className="mt-0.5 text-caption text-pretty text-muted">{body}</p>
            </div>
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}

/** The panel is at the inline end. */
function sideOfPanel(): 'left' | 'right' | 'top' {
  if (!window.matchMedia('(width >= 64rem)').matches) return 'top';
  return document.documentElement.dir === 'rtl' ? 'right' : 'left';
}

function DemoVideo({ src }: { readonly src: string }) {
  const [hasReducedMotion] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  return <video src={src} autoPlay={!hasReducedMotion} loop muted playsInline preload="auto" />;
}

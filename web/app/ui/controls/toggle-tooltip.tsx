import { Tooltip } from 'radix-ui';
import { type ReactElement, useState } from 'react';
import { useHoverIntent } from './use-hover-intent';

/** Distance from the trigger in CSS pixels (spec 2, section 2). */
const OFFSET = 15;

interface ToggleTooltipProps {
  /** URL of a short demonstration video. */
  readonly mediaUrl: string;
  readonly title: string;
  readonly body: string;
  /** In a side panel: beside it where the screen is wide, so that it covers no other control. */
  readonly isInPanel?: boolean;
  /** The control, which must forward props and ref to a focusable element. */
  readonly children: ReactElement;
}

/** Without JavaScript the text is below the toggle. */
export function ToggleTooltip({ mediaUrl, title, body, isInPanel = false, children }: ToggleTooltipProps) {
  const { isOpen, close, triggerEvents, contentEvents, isTrigger, theme } = useHoverIntent();
  return (
    <Tooltip.Provider>
      <Tooltip.Root open={isOpen} disableHoverableContent>
        <Tooltip.Trigger asChild {...triggerEvents}>
          {children}
        </Tooltip.Trigger>
        <p className="text-sm text-muted js:hidden">{body}</p>
        <Tooltip.Portal>
          <Tooltip.Content
            {...contentEvents}
            className="toggle-tooltip"
            data-theme={theme()}
            side={isOpen && isInPanel ? sideOfPanel() : 'top'}
            sideOffset={OFFSET}
            collisionPadding={12}
            // Announced once, without the video.
            aria-label={`${title}. ${body}`}
            onEscapeKeyDown={close}
            onPointerDownOutside={(event) => {
              if (!isTrigger(event.target)) close();
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

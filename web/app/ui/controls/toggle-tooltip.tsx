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
  /** The control, which must forward props and ref to a focusable element. */
  readonly children: ReactElement;
}

/** Without JavaScript the text is below the toggle. */
export function ToggleTooltip({ mediaUrl, title, body, children }: ToggleTooltipProps) {
  const { isOpen, close, triggerEvents, contentEvents, isTrigger } = useHoverIntent();
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

function DemoVideo({ src }: { readonly src: string }) {
  const [hasReducedMotion] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  return <video src={src} autoPlay={!hasReducedMotion} loop muted playsInline preload="auto" />;
}

import { Tooltip } from 'radix-ui';
import { type ReactElement, useState } from 'react';
import { useHoverIntent } from './use-hover-intent';

/** Between trigger and box, in CSS pixels (spec 2, section 2). */
const OFFSET = 15;

export interface TooltipMedia {
  /** Address of a short film of what the thing does. */
  readonly mediaUrl: string;
  readonly title: string;
  readonly body: string;
}

interface ToggleTooltipProps extends TooltipMedia {
  /** The one control it is about: has to pass props and ref on to an element that can have the focus. */
  readonly children: ReactElement;
}

/** Shows what a toggle does before it is used. Without script its words stand below the toggle. */
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
            // Read out once, and without the film.
            aria-label={`${title}. ${body}`}
            onEscapeKeyDown={close}
            onPointerDownOutside={(event) => {
              if (!isTrigger(event.target)) close();
            }}
          >
            <Film address={mediaUrl} />
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

/** Loops without a sound; stands still for those who asked for less motion. */
function Film({ address }: { readonly address: string }) {
  const [isStill] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches);
  return <video src={address} autoPlay={!isStill} loop muted playsInline preload="auto" />;
}

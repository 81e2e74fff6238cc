interface PictureShapeProps {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly nonce: string | undefined;
}

/**
 * Tells the style sheet the shape of the page's picture before it has loaded. A style element, because the content
 * security policy allows it by nonce and forbids style attributes.
 */
export function PictureShape({ width, height, nonce }: PictureShapeProps) {
  return (
    <style nonce={nonce} suppressHydrationWarning>
      {`:root{--picture-width:${width};--picture-height:${height}}`}
    </style>
  );
}

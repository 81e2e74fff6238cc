interface PictureShapeProps {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly nonce: string | undefined;
}

/**
 * Sets the picture's dimensions for the style sheet before it loads. A style element with a nonce: the content security
 * policy forbids style attributes.
 */
export function PictureShape({ width, height, nonce }: PictureShapeProps) {
  return (
    <style nonce={nonce} suppressHydrationWarning>
      {`:root{--picture-width:${width};--picture-height:${height}}`}
    </style>
  );
}

/** Press profiles have about 3 MB; display and camera profiles less. */
const MAX_PROFILE_BYTES = 4_000_000;

/** The profile if it is valid for RGB samples, else null: another one would change the colors. */
export function usableRgbProfile(profile: Buffer | undefined): Buffer | null {
  if (!profile || profile.length < 132 || profile.length > MAX_PROFILE_BYTES) return null;
  // ICC.1:2022, 7.2: size at 0, color space at 16, 'acsp' at 36.
  const fits =
    profile.readUInt32BE(0) <= profile.length &&
    profile.toString('latin1', 16, 20) === 'RGB ' &&
    profile.toString('latin1', 36, 40) === 'acsp';
  return fits ? profile : null;
}

import { useNavigationState } from './navigation.tsx'

/** The page that the reader has come to. */
export function PageView() {
  const { loaded } = useNavigationState()
  if (!loaded) return null
  const { page, View } = loaded
  return <View key={page.url.split('?')[0]} page={page} />
}

package illustration

import "image"

func Portrait(seed uint64, size int) image.Image { return image.NewRGBA(image.Rect(0, 0, size, size)) }

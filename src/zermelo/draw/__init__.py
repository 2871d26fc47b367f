"""Pictures and text of trees and answers. Nothing here searches."""
